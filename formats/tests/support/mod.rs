//! Runs execution plans with real memory and no check at all, in random orders.

use ringwood_formats::ExecutionPlan;
use ringwood_formats::plan::{Action, End, Goal};
use ringwood_schedule::{BufferMode, Operation, Space};
use std::collections::{HashMap, VecDeque};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// A number for each input cell; sums of different cells differ.
fn leaf(rank: u32, cell: u32) -> u64 {
    Random(u64::from(rank) << 32 | u64::from(cell)).next()
}

/// A cell of memory: in place, input and output have one name.
type Name = (u32, u8, u32);

/// What a lane or a proxy is about to do.
enum Task {
    Write(Vec<End>, Vec<u64>),
    Move(u32, Vec<End>, Vec<End>),
    Signal(u32),
}

/// A machine in the middle of a run.
struct World<'a> {
    plan: &'a ExecutionPlan,
    mode: BufferMode,
    memory: HashMap<Name, u64>,
    packets: HashMap<(u32, u32), u64>,
    queues: Vec<VecDeque<Vec<u64>>>,
    signals: Vec<u32>,
    semaphores: Vec<u32>,
    arrived: Vec<Vec<usize>>,
    passed: Vec<bool>,
    next: Vec<usize>,
    /// Of each lane, the half of a move that is left.
    half: Vec<Option<Task>>,
    proxies: Vec<VecDeque<Task>>,
}

/// Runs a plan in one random order. Whether it ends, and ends right when every rank has ended.
pub(crate) fn run(plan: &ExecutionPlan, mode: BufferMode, random: &mut Random) -> bool {
    let mut world = World {
        plan,
        mode,
        memory: HashMap::new(),
        packets: HashMap::new(),
        queues: plan.queues.iter().map(|_| VecDeque::new()).collect(),
        signals: vec![0; plan.signals.len()],
        semaphores: plan.semaphores.clone(),
        arrived: vec![Vec::new(); plan.barriers.len()],
        passed: vec![false; plan.lanes.len()],
        next: vec![0; plan.lanes.len()],
        half: plan.lanes.iter().map(|_| None).collect(),
        proxies: (0..plan.proxies).map(|_| VecDeque::new()).collect(),
    };
    for (rank, buffers) in plan.ranks.iter().enumerate() {
        for cell in 0..buffers.input {
            let name = world.name(rank as u32, Space::Input, cell);
            world.memory.insert(name, leaf(rank as u32, cell));
        }
    }
    let mut ended = vec![false; plan.ranks.len()];
    loop {
        let agents = plan.lanes.len() + world.proxies.len();
        let first = random.below(agents);
        let moved = (0..agents).map(|i| (first + i) % agents).any(|agent| world.step(agent));
        for (rank, ended) in ended.iter_mut().enumerate() {
            let mut lanes = plan.lanes.iter().enumerate().filter(|(_, l)| l.rank as usize == rank);
            if !*ended && lanes.all(|(i, l)| world.over(i, l)) {
                *ended = true;
                if !world.right(rank as u32) {
                    return false;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let leftovers =
        world.queues.iter().any(|q| !q.is_empty()) || world.signals.iter().any(|s| *s > 0);
    ended.iter().all(|e| *e) && !leftovers && (0..ended.len()).all(|r| world.right(r as u32))
}

impl World<'_> {
    fn over(&self, i: usize, lane: &ringwood_formats::plan::PlanLane) -> bool {
        self.next[i] == lane.ops.len() && self.half[i].is_none()
    }

    fn name(&self, rank: u32, space: Space, cell: u32) -> Name {
        let buffers = self.plan.ranks[rank as usize];
        let (space, cell) = match (self.mode, self.plan.goal, space) {
            (BufferMode::InPlace, Goal::Operation(Operation::AllGather), Space::Input) => {
                (Space::Output, rank * buffers.input + cell)
            }
            (BufferMode::InPlace, Goal::Operation(Operation::ReduceScatter), Space::Output) => {
                (Space::Input, rank * buffers.output + cell)
            }
            (BufferMode::InPlace, Goal::Operation(Operation::ReduceScatter), _) => (space, cell),
            (BufferMode::InPlace, _, Space::Input) => (Space::Output, cell),
            _ => (space, cell),
        };
        (rank, space as u8, cell)
    }

    /// Whether the outputs of a rank are what the plan is for.
    fn right(&self, rank: u32) -> bool {
        let Goal::Operation(operation) = self.plan.goal else { return true };
        let (n, buffers) = (self.plan.ranks.len() as u32, self.plan.ranks[rank as usize]);
        let sum = |cell: u32| (0..n).fold(0, |a: u64, r| a.wrapping_add(leaf(r, cell)));
        (0..buffers.output).all(|cell| {
            let due = match operation {
                Operation::AllReduce => sum(cell),
                Operation::ReduceScatter => sum(rank * buffers.output + cell),
                Operation::AllGather => leaf(cell / buffers.input, cell % buffers.input),
                _ => {
                    let part = buffers.output / n;
                    leaf(cell / part, rank * part + cell % part)
                }
            };
            self.memory.get(&self.name(rank, Space::Output, cell)) == Some(&due)
        })
    }

    /// Lets a lane or a proxy do its next half of an operation; `false` if it cannot.
    fn step(&mut self, agent: usize) -> bool {
        if let Some(proxy) = agent.checked_sub(self.plan.lanes.len()) {
            let Some(task) = self.proxies[proxy].pop_front() else { return false };
            match task {
                Task::Signal(signal) => self.signals[signal as usize] += 1,
                Task::Write(targets, values) => self.write(&targets, &values),
                Task::Move(cells, sources, targets) => {
                    let values = self.read(cells, &sources);
                    self.proxies[proxy].push_front(Task::Write(targets, values));
                }
            }
            return true;
        }
        if let Some(Task::Write(targets, values)) = self.half[agent].take() {
            self.write(&targets, &values);
            return true;
        }
        let plan = self.plan;
        let Some(op) = plan.lanes[agent].ops.get(self.next[agent]) else { return false };
        let done = self.act(agent, &op.action);
        self.next[agent] += usize::from(done);
        done
    }

    fn act(&mut self, lane: usize, action: &Action) -> bool {
        let take = |count: &mut u32| {
            let some = *count > 0;
            *count -= u32::from(some);
            some
        };
        match *action {
            Action::Move { cells, ref sources, ref targets, proxy } => {
                if !sources.iter().all(|end| self.there(end, cells)) {
                    return false;
                }
                if let Some(proxy) = proxy {
                    let task = Task::Move(cells, sources.clone(), targets.clone());
                    self.proxies[proxy as usize].push_back(task);
                } else {
                    let values = self.read(cells, sources);
                    self.half[lane] = Some(Task::Write(targets.clone(), values));
                }
            }
            Action::Signal { signal, proxy: Some(proxy), .. } => {
                self.proxies[proxy as usize].push_back(Task::Signal(signal));
            }
            Action::Signal { signal, .. } => self.signals[signal as usize] += 1,
            Action::Wait { signal, .. } => return take(&mut self.signals[signal as usize]),
            Action::Flush { proxy } => return self.proxies[proxy as usize].is_empty(),
            Action::Barrier { barrier } => return self.meet(lane, barrier as usize),
            Action::Acquire { semaphore } => return take(&mut self.semaphores[semaphore as usize]),
            Action::Release { semaphore } => self.semaphores[semaphore as usize] += 1,
            Action::After { lane: other, op, .. } => {
                let (other, Some(op)) = (other as usize, op) else { return false };
                let at = self.next[other];
                return at > op as usize + 1 || at == op as usize + 1 && self.half[other].is_none();
            }
            Action::Nop => {}
        }
        true
    }

    fn meet(&mut self, lane: usize, barrier: usize) -> bool {
        if std::mem::take(&mut self.passed[lane]) {
            return true;
        }
        let arrived = &mut self.arrived[barrier];
        if !arrived.contains(&lane) {
            arrived.push(lane);
        }
        if arrived.len() < self.plan.barriers[barrier] as usize {
            return false;
        }
        std::mem::take(arrived).into_iter().for_each(|l| self.passed[l] = true);
        std::mem::take(&mut self.passed[lane])
    }

    fn there(&self, end: &End, cells: u32) -> bool {
        match *end {
            End::Message { queue } => !self.queues[queue as usize].is_empty(),
            End::Packets { rank, first } => {
                (first..first + cells).all(|p| self.packets.contains_key(&(rank, p)))
            }
            End::Cells { .. } => true,
        }
    }

    fn read(&mut self, cells: u32, sources: &[End]) -> Vec<u64> {
        let mut sum = vec![0_u64; cells as usize];
        for source in sources {
            let values: Vec<u64> = match *source {
                End::Message { queue } => self.queues[queue as usize].pop_front().unwrap(),
                End::Packets { rank, first } => {
                    (first..first + cells).map(|p| self.packets[&(rank, p)]).collect()
                }
                End::Cells { rank, space, first } => {
                    let value = |c| self.memory.get(&self.name(rank, space, c)).copied();
                    // What nobody has written is anything.
                    (first..first + cells).map(|c| value(c).unwrap_or(0xBAD)).collect()
                }
            };
            sum.iter_mut().zip(values).for_each(|(a, b)| *a = a.wrapping_add(b));
        }
        sum
    }

    fn write(&mut self, targets: &[End], values: &[u64]) {
        for target in targets {
            match *target {
                End::Message { queue } => self.queues[queue as usize].push_back(values.to_vec()),
                End::Packets { rank, first } => {
                    for (p, value) in (first..).zip(values) {
                        self.packets.insert((rank, p), *value);
                    }
                }
                End::Cells { rank, space, first } => {
                    for (c, value) in (first..).zip(values) {
                        let name = self.name(rank, space, c);
                        self.memory.insert(name, *value);
                    }
                }
            }
        }
    }
}
