//! Tables of schemas and entries, and what becomes of them.

mod bounds;
mod entries;
mod shapes;
