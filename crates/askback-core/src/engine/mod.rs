//! The engine: from inputs to effects.
