//! The field's nouns and rules: parsed values, nothing else.
