//! Scripted servers, scripted persons, a manual clock and the scenario runner. For tests only.

pub mod simulation;
