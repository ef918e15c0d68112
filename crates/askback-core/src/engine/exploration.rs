//! Small worlds, explored in every order.
