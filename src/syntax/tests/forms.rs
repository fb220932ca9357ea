//! Every form of a value, a sentence, a part and an item is read as what it is.
