//! A picture of a terminal's screen, for the documentation: SVG with the text as text.

use std::fmt::Write as _;

use vt100::{Color, Screen};

/// The size of a cell in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
/// The space around the screen in pixels.
const MARGIN: f64 = 16.0;
const BACKGROUND: &str = "#1c1e24";
const FOREGROUND: &str = "#d8dee6";
/// The sixteen colours of a terminal, as drawn.
const COLOURS: [&str; 16] = [
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf", "#5c6370", "#e88388",
    "#a8cc8c", "#ebcb8b", "#71bef2", "#d290e4", "#66c2cd", "#ffffff",
];

/// The screen as an SVG document; rows below the last one that shows anything are left out.
pub fn svg(screen: &Screen, title: &str) -> String {
    let (rows, columns) = screen.size();
    let used =
        (0..rows).rev().find(|row| (0..columns).any(|column| shows(screen, *row, column))).map_or(1, |row| row + 1);
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(used) * CELL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" fill=\"{FOREGROUND}\" xml:space=\"preserve\">\n",
        escaped(title)
    );
    for row in 0..used {
        for (column, text, style) in runs(screen, row, columns) {
            let x = f64::from(column) * CELL.0 + MARGIN;
            let y = f64::from(row) * CELL.1 + MARGIN + 13.0;
            let length = f64::from(text.1) * CELL.0;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\"{style}>{}</text>",
                escaped(&text.0)
            );
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

fn shows(screen: &Screen, row: u16, column: u16) -> bool {
    screen.cell(row, column).is_some_and(|cell| !cell.contents().trim().is_empty())
}

/// The pieces of a row that are drawn alike: where each begins, its text with its width in cells, and its style as attributes.
fn runs(screen: &Screen, row: u16, columns: u16) -> Vec<(u16, (String, u16), String)> {
    let mut runs: Vec<(u16, (String, u16), String)> = Vec::new();
    let mut gap = true;
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else { continue };
        if cell.contents().trim().is_empty() {
            gap = true;
            continue;
        }
        let mut style = String::new();
        if let Color::Idx(index) = cell.fgcolor()
            && let Some(colour) = COLOURS.get(usize::from(index))
        {
            let _ = write!(style, " fill=\"{colour}\"");
        }
        if cell.bold() {
            style.push_str(" font-weight=\"bold\"");
        }
        if cell.dim() {
            style.push_str(" opacity=\"0.6\"");
        }
        let width = if cell.is_wide() { 2 } else { 1 };
        match runs.last_mut().filter(|last| !gap && last.2 == style) {
            Some(last) => {
                last.1.0.push_str(cell.contents());
                last.1.1 += width;
            }
            None => runs.push((column, (cell.contents().to_owned(), width), style)),
        }
        gap = false;
    }
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_place_and_its_colour() {
        let mut parser = vt100::Parser::new(4, 20, 0);
        parser.process("a < b \u{1b}[1;31mred\u{1b}[0m\r\n".as_bytes());
        parser.process("中文".as_bytes());
        let svg = svg(parser.screen(), "x & y");
        assert!(svg.contains("<title>x &amp; y</title>"));
        assert!(svg.contains(">&lt;</text>"));
        assert!(svg.contains("fill=\"#e06c75\" font-weight=\"bold\">red</text>"), "{svg}");
        assert!(svg.contains("textLength=\"33.6\""), "four cells for two wide characters: {svg}");
        assert_eq!(svg.matches("<text").count(), 5);
    }
}
