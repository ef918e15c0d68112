//! Models over their wires: scripted providers for what must be certain, and a real model for what is true.

mod anthropic;
mod failures;
mod gemini;
mod local;
mod ollama;
mod openai;
mod real_model;
mod scripted;
