//! Answer files: scripted answers, matched to asks.
