//! Who did what.

use crate::document::Flaw;
use crate::document::members::Members;
use crate::document::time::is_timestamp;
use crate::document::vocabulary::{ACTIVITY_TYPE, AGENT_TYPE};
use crate::json::{Map, Value};
use crate::validate::codes;

/// The agents and what they did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// People, programs and organisations.
    pub agents: Vec<Agent>,
    /// What they did to the sample.
    pub activities: Vec<Activity>,
}

/// A person, program or organisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Its name in this document; activities refer to it.
    pub id: String,
    /// `person`, `software` or `organization`.
    pub kind: String,
    /// What people call it.
    pub name: String,
    /// Version of a program.
    pub version: Option<String>,
    /// What it does for the sample.
    pub role: Option<String>,
    /// Training of a person.
    pub qualification: Option<String>,
    /// The agent it belongs to.
    pub organization: Option<String>,
}

/// Something that was done to the sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity {
    /// Its name in this document; annotations, images and transforms refer to it.
    pub id: String,
    /// `import`, `annotate`, and so on.
    pub kind: String,
    /// The agent that did it.
    pub agent: Option<String>,
    /// When it began.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// The tool that was used.
    pub tool: Option<String>,
    /// What it was made from.
    pub inputs: Vec<String>,
    /// What it made.
    pub outputs: Vec<String>,
    /// Parameters of the tool.
    pub params: Map,
}

const AGENT_MEMBERS: &[&str] =
    &["id", "type", "name", "version", "role", "qualification", "organization"];
const ACTIVITY_MEMBERS: &[&str] =
    &["id", "type", "agent", "started", "ended", "tool", "inputs", "outputs", "params"];

impl Provenance {
    /// The activity of this id.
    pub fn activity(&self, id: &str) -> Option<&Activity> {
        self.activities.iter().find(|activity| activity.id == id)
    }

    /// The agent of this id.
    pub fn agent(&self, id: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.id == id)
    }

    pub(crate) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "`provenance`")?;
        let agents = members.items("agents").iter().map(Agent::parse).collect::<Result<_, _>>()?;
        let activities =
            members.items("activities").iter().map(Activity::parse).collect::<Result<_, _>>()?;
        let provenance = Self { agents, activities };
        unique("agent", provenance.agents.iter().map(|agent| agent.id.as_str()))?;
        unique("activity", provenance.activities.iter().map(|activity| activity.id.as_str()))?;
        Ok(provenance)
    }
}

impl Agent {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "an agent")?;
        members.only(AGENT_MEMBERS)?;
        let agent = Self {
            id: members.required_text("id")?,
            kind: members.required_text("type")?,
            name: members.required_text("name")?,
            version: members.text("version"),
            role: members.text("role"),
            qualification: members.text("qualification"),
            organization: members.text("organization"),
        };
        members
            .check_word("type", &agent.kind, AGENT_TYPE)
            .map_err(|message| Flaw::new(codes::E603, message))?;
        Ok(agent)
    }
}

impl Activity {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "an activity")?;
        members.only(ACTIVITY_MEMBERS)?;
        let activity = Self {
            id: members.required_text("id")?,
            kind: members.required_text("type")?,
            agent: members.text("agent"),
            started: members.text("started"),
            ended: members.text("ended"),
            tool: members.text("tool"),
            inputs: members.texts("inputs"),
            outputs: members.texts("outputs"),
            params: members.object("params"),
        };
        members
            .check_word("type", &activity.kind, ACTIVITY_TYPE)
            .map_err(|message| Flaw::new(codes::E603, message))?;
        for time in [&activity.started, &activity.ended].into_iter().flatten() {
            if !is_timestamp(time) {
                let message = format!("activity {:?} has the time {time:?}", activity.id);
                return Err(Flaw::new(codes::E604, message));
            }
        }
        Ok(activity)
    }
}

fn unique<'a>(what: &str, ids: impl Iterator<Item = &'a str>) -> Result<(), Flaw> {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    match ids.iter().zip(ids.iter().skip(1)).find(|(a, b)| a == b) {
        Some((twice, _)) => Err(Flaw::structure(format!("{what} id {twice:?} is used twice"))),
        None => Ok(()),
    }
}
