//! Forms from the outside: properties that hold whatever the schema, the schemas that libraries really make, and the reference page that is
//! written from both.

mod fixtures;
mod properties;
mod reference;
mod shapes;
mod words;
