//! The program representation, its passes and its plans.
