//! What the agency sells: three packages, listed by a tool and by a resource that ask nothing.

use rmcp::model::{CallToolResult, ReadResourceResult, Resource, ResourceContents, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::input_schema::schema;
use crate::server::Travel;
use crate::talk::{Interruption, Talk, Told, told};

/// Flights and a hotel, at one price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) destination: &'static str,
    pub(crate) dates: &'static str,
    pub(crate) hotel: &'static str,
    pub(crate) price_usd: u32,
    pub(crate) room_types: [&'static str; 3],
}

pub(crate) const PACKAGES: [Package; 3] = [
    Package {
        destination: "Barcelona",
        dates: "15–22 June",
        hotel: "beachfront hotel",
        price_usd: 3000,
        room_types: ["sea view", "city view", "garden view"],
    },
    Package {
        destination: "Lisbon",
        dates: "5–12 September",
        hotel: "hillside guest house",
        price_usd: 2400,
        room_types: ["river view", "city view", "garden view"],
    },
    Package {
        destination: "Kyoto",
        dates: "1–12 April",
        hotel: "garden ryokan",
        price_usd: 4800,
        room_types: ["temple view", "city view", "garden view"],
    },
];

/// The package to `destination`, whatever the case of its letters.
pub(crate) fn find(destination: &str) -> Told<Package> {
    PACKAGES.into_iter().find(|package| package.destination.eq_ignore_ascii_case(destination)).ok_or_else(|| {
        let known = PACKAGES.map(|package| package.destination).join(", ");
        Interruption::Failed(format!("There is no package to {destination}. There are packages to: {known}."))
    })
}

/// An amount in dollars with its thousands set apart, as in `$3,000`.
pub(crate) fn dollars(amount: u32) -> String {
    if amount < 1000 { format!("${amount}") } else { format!("${},{:03}", amount / 1000, amount % 1000) }
}

fn as_json() -> Value {
    let packages = PACKAGES.map(|package| {
        json!({
            "destination": package.destination,
            "dates": package.dates,
            "hotel": package.hotel,
            "priceUsd": package.price_usd,
        })
    });
    json!({ "packages": packages })
}

fn as_text() -> String {
    let lines = PACKAGES.map(|package| {
        format!(
            "- {}, {}: flights and {}, {}",
            package.destination,
            package.dates,
            package.hotel,
            dollars(package.price_usd)
        )
    });
    lines.join("\n")
}

pub(crate) fn tool() -> Tool {
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new("list_packages", "Lists the holiday packages on sale. Asks nothing.", schema(json!({})))
        .with_title("List packages")
        .with_annotations(annotations)
}

pub(crate) fn list(_: &Travel, _: &mut Talk) -> Told<CallToolResult> {
    Ok(told(as_text(), as_json()))
}

pub(crate) fn resource() -> Resource {
    Resource::new("travel://packages", "packages")
        .with_title("Holiday packages")
        .with_description("The packages on sale, as Markdown. Asks nothing.")
        .with_mime_type("text/markdown")
}

pub(crate) fn read(_: &Travel, _: &mut Talk) -> Told<ReadResourceResult> {
    let contents = ResourceContents::text(as_text(), "travel://packages").with_mime_type("text/markdown");
    Ok(ReadResourceResult::new(vec![contents]))
}
