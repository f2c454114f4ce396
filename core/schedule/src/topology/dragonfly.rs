//! Dragonfly networks.

use super::{Level, Levels, Link, positive, spread};
use ringwood_base::Result;
use serde::{Deserialize, Serialize};

/// Groups of routers: every router is linked with each other one of its group, and every group with
/// each other one by a link that starts at one of its routers.
///
/// Source: Kim, Dally, Scott and Abts, "Technology-driven, highly-scalable dragonfly topology",
/// 2008; here with as many groups as the links between groups allow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dragonfly {
    /// Routers of a group.
    pub routers: usize,
    /// Ranks at a router.
    pub ranks: usize,
    /// Links of a router to other groups.
    pub global: usize,
    /// Which way bytes take.
    pub routing: Routing,
    /// The link of a rank.
    pub port: Link,
    /// A link inside of a group, and one between groups.
    pub link: Link,
}

/// Which way bytes take between groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// The direct one.
    Minimal,
    /// Over a group that a hash of the two ranks chooses, so that no pattern overloads a link.
    Valiant,
}

impl Default for Dragonfly {
    fn default() -> Self {
        let (port, link) = (Link::default(), Link::default());
        Self { routers: 16, ranks: 8, global: 8, routing: Routing::Minimal, port, link }
    }
}

impl Dragonfly {
    pub(super) fn lay(&self, levels: &mut Levels) -> Result<usize> {
        let routers = positive("routers in a group", self.routers)?;
        let each = positive("ranks at a router", self.ranks)?;
        let global = positive("links of a router to other groups", self.global)?;
        let groups = self.groups();
        let ranks = groups.saturating_mul(routers).saturating_mul(each);
        positive("ranks in all", ranks)?;
        levels.add("rank up", ranks, self.port);
        levels.add("rank down", ranks, self.port);
        levels.add("router to router", groups * routers * routers, self.link);
        levels.add("group to group", groups * routers * global, self.link);
        Ok(ranks)
    }

    fn groups(&self) -> usize {
        self.routers.saturating_mul(self.global).saturating_add(1)
    }

    pub(super) fn route(&self, levels: &[Level], ends: (usize, usize), path: &mut Vec<u32>) {
        let (source, target) = ends;
        let (from, to) = (source / self.ranks, target / self.ranks);
        path.push((levels[0].links.start + source) as u32);
        let middle = spread(source, target, self.groups());
        let (first, last) = (from / self.routers, to / self.routers);
        let detour =
            self.routing == Routing::Valiant && first != last && ![first, last].contains(&middle);
        let mut at = from;
        if detour {
            at = self.cross(levels, at, middle, path);
        }
        if at / self.routers != last {
            at = self.cross(levels, at, last, path);
        }
        self.inside(levels, at, to, path);
        path.push((levels[1].links.start + target) as u32);
    }

    /// From a router to a group; returns the router of arrival. The link of group `a` to group `b`
    /// has number `b - a - 1` modulo the number of groups, counted through the routers of `a`.
    fn cross(&self, levels: &[Level], from: usize, group: usize, path: &mut Vec<u32>) -> usize {
        let (groups, here) = (self.groups(), from / self.routers);
        let number = |a: usize, b: usize| (b + groups - a - 1) % groups;
        let out = number(here, group);
        let exit = here * self.routers + out / self.global;
        self.inside(levels, from, exit, path);
        path.push((levels[3].links.start + here * self.routers * self.global + out) as u32);
        group * self.routers + number(group, here) / self.global
    }

    fn inside(&self, levels: &[Level], from: usize, to: usize, path: &mut Vec<u32>) {
        if from != to {
            path.push((levels[2].links.start + from * self.routers + to % self.routers) as u32);
        }
    }
}
