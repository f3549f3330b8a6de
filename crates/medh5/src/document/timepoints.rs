//! The visits of the subject.

use super::Flaw;
use super::members::{Members, as_text};
use super::time::starts_with_date;
use crate::json::{Map, Value};
use crate::names::is_identifier;
use crate::validate::codes;

/// One visit.
#[derive(Debug, Clone, PartialEq)]
pub struct Timepoint {
    /// Its name; grids and annotations refer to it.
    pub id: String,
    /// Its place in time, from 0.
    pub index: i64,
    /// What people call it.
    pub label: Option<String>,
    /// When it was, starting with `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The imaging study.
    pub study_uid: Option<String>,
    /// Free text.
    pub description: Option<String>,
    /// Days since the first visit.
    pub days_from_baseline: Option<f64>,
    /// The series that images were made from, by image.
    pub series_uids: Map,
    /// Age of the subject, in years.
    pub subject_age_years: Option<f64>,
}

const MEMBERS: &[&str] = &[
    "id",
    "index",
    "label",
    "date",
    "study_uid",
    "description",
    "days_from_baseline",
    "series_uids",
    "subject_age_years",
];

/// Reads the list, sorted by index. The indices run from 0 without gaps, and time does not run backwards.
pub(super) fn parse(value: &Value) -> Result<Vec<Timepoint>, Flaw> {
    let Value::Array(items) = value else {
        return Err(Flaw::structure("`timepoints` is no array"));
    };
    let mut timepoints: Vec<_> = items.iter().map(Timepoint::parse).collect::<Result<_, _>>()?;
    timepoints.sort_by_key(|timepoint| timepoint.index);
    check_order(&timepoints).map_err(|message| Flaw::new(codes::E108, message))?;
    Ok(timepoints)
}

impl Timepoint {
    fn parse(value: &Value) -> Result<Self, Flaw> {
        let members = Members::of(value, "a timepoint")?;
        members.only(MEMBERS)?;
        let id = members.required("id")?;
        let index = members.required_integer("index")?;
        let timepoint = Self {
            id: as_text(id),
            index,
            label: members.text("label"),
            date: members.text("date"),
            study_uid: members.text("study_uid"),
            description: members.text("description"),
            days_from_baseline: members.number("days_from_baseline")?,
            series_uids: members.object("series_uids"),
            subject_age_years: members.number("subject_age_years")?,
        };
        timepoint.check()?;
        Ok(timepoint)
    }

    fn check(&self) -> Result<(), Flaw> {
        if !is_identifier(&self.id) {
            return Err(Flaw::new(
                codes::E003,
                format!("timepoint id {:?} is no identifier", self.id),
            ));
        }
        if self.index < 0 {
            return Err(Flaw::new(
                codes::E108,
                format!("timepoint {:?} has the index {}", self.id, self.index),
            ));
        }
        match &self.date {
            Some(date) if !starts_with_date(date) => Err(Flaw::new(
                codes::E604,
                format!("timepoint {:?} has the date {date:?}, not YYYY-MM-DD", self.id),
            )),
            _ => Ok(()),
        }
    }
}

fn check_order(sorted: &[Timepoint]) -> Result<(), String> {
    if sorted.is_empty() {
        return Err("`timepoints` is empty".into());
    }
    let mut ids: Vec<&str> = sorted.iter().map(|timepoint| timepoint.id.as_str()).collect();
    ids.sort_unstable();
    if let Some(twice) = ids.iter().zip(ids.iter().skip(1)).find(|(a, b)| a == b) {
        return Err(format!("timepoint id {:?} is used twice", twice.0));
    }
    if let Some((place, found)) = (0..).zip(sorted).find(|(place, found)| found.index != *place) {
        return Err(format!("the timepoint indices have {} in place of {place}", found.index));
    }
    // Quirk: the reference takes the strings "nan" and "inf" for 0 here.
    let finite = |days: f64| if days.is_finite() { days } else { 0.0 };
    let days = || sorted.iter().filter_map(|timepoint| timepoint.days_from_baseline).map(finite);
    if let Some((before, after)) = days().zip(days().skip(1)).find(|(a, b)| a > b) {
        return Err(format!("days_from_baseline falls from {before} to {after}"));
    }
    Ok(())
}
