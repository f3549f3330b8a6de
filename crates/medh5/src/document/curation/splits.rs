//! Which part of a split of a data set the sample claims to be in.

use crate::document::Flaw;
use crate::document::members::Members;
use crate::document::time::is_timestamp;
use crate::document::vocabulary::PARTITION;
use crate::json::Value;
use crate::validate::codes;

/// One claim about one split.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitClaim {
    /// The split.
    pub set_id: String,
    /// `train`, `val`, `test`, `holdout` or `unassigned`.
    pub partition: String,
    /// The fold of a cross-validation.
    pub fold: Option<i64>,
    /// The agent that assigned it.
    pub assigned_by: Option<String>,
    /// When it was assigned.
    pub assigned_at: Option<String>,
    /// Digest of the list that the claim was made from.
    pub manifest_sha256: Option<String>,
}

impl SplitClaim {
    pub(crate) fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a split claim")?;
        let claim = Self {
            set_id: members.required_text("set_id")?,
            partition: members.required_text("partition")?,
            fold: members.truncated("fold")?,
            assigned_by: members.text("assigned_by"),
            assigned_at: members.text("assigned_at"),
            manifest_sha256: members.text("manifest_sha256"),
        };
        members.check_word("partition", &claim.partition, PARTITION).map_err(Flaw::structure)?;
        match &claim.assigned_at {
            Some(time) if !is_timestamp(time) => Err(Flaw::new(
                codes::E604,
                format!("the claim on {:?} has the time {time:?}", claim.set_id),
            )),
            _ => Ok(claim),
        }
    }
}
