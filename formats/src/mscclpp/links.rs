//! Channels and buffers of a GPU, and whether they lead anywhere.

use super::schema::{Block, ChannelType, File, Gpu};
use crate::error::ReadError;
use ringwood_base::Result;
use std::collections::HashMap;

/// A channel from a GPU to a peer.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) peer: u32,
    /// How many earlier channels of its type lead to the same peer.
    pub(super) ordinal: u32,
}

/// The memory channels and the port channels of a GPU, as it lists them.
pub(super) struct Links {
    memory: Vec<Link>,
    port: Vec<Link>,
}

impl Links {
    /// The channels of every GPU.
    ///
    /// # Errors
    /// A GPU stands in the wrong place, or names GPUs that do not exist.
    pub(super) fn of_file(file: &File<'_>) -> Result<Vec<Self>> {
        let of_gpu = |(i, gpu): (usize, &Gpu<'_>)| {
            check(file, gpu, i as u32)?;
            Ok(Self {
                memory: links(gpu, ChannelType::Memory),
                port: links(gpu, ChannelType::Port),
            })
        };
        file.gpus.iter().enumerate().map(of_gpu).collect()
    }

    /// The channels of a type; none for switches, which have groups.
    pub(super) fn of_type(&self, kind: ChannelType) -> &[Link] {
        match kind {
            ChannelType::Memory => &self.memory,
            ChannelType::Port => &self.port,
            ChannelType::Switch => &[],
        }
    }
}

fn links(gpu: &Gpu<'_>, kind: ChannelType) -> Vec<Link> {
    let channels = gpu.channels.iter().filter(|c| c.channel_type == kind);
    let mut seen = HashMap::new();
    let link = |&peer: &u32| {
        let next = seen.entry(peer).or_insert(0_u32);
        *next += 1;
        Link { peer, ordinal: *next - 1 }
    };
    channels.flat_map(|c| &c.connected_to).map(link).collect()
}

/// The most channels of a GPU or a block: their lists are searched for every operation.
const MOST: usize = 1024;

fn check(file: &File<'_>, gpu: &Gpu<'_>, due: u32) -> Result<()> {
    let exists = |rank: u32| (rank as usize) < file.gpus.len();
    let refuse = |why: String| Err(ReadError::Gpu { gpu: gpu.id, why }.into());
    if gpu.id != due {
        return refuse(format!("it stands where GPU {due} belongs"));
    }
    let of_gpu: usize =
        gpu.channels.iter().map(|c| c.connected_to.len() + c.rank_groups.len()).sum();
    let ids = |block: &Block<'_>| block.channels.iter().map(|c| c.channel_ids.len()).sum::<usize>();
    let buffers = |block: &Block<'_>| {
        block.remote_buffer_refs.iter().map(|r| r.remote_buffer_ids.len()).sum::<usize>()
    };
    let of_blocks = gpu.threadblocks.iter().map(|b| ids(b).max(buffers(b))).max().unwrap_or(0);
    if of_gpu.max(of_blocks) > MOST {
        return refuse(format!(
            "more than {MOST} channels or remote buffers of the GPU or a block"
        ));
    }
    let peers = gpu.channels.iter().flat_map(|c| &c.connected_to);
    if let Some(peer) = peers.copied().find(|&p| !exists(p) || p == gpu.id) {
        return refuse(format!("a channel to GPU {peer}"));
    }
    if let Some(buffer) = gpu.remote_buffers.iter().find(|b| !exists(b.rank)) {
        return refuse(format!("a remote buffer of GPU {}, which is not there", buffer.rank));
    }
    for group in gpu.channels.iter().flat_map(|c| &c.rank_groups) {
        let mut distinct = group.ranks.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let whole = distinct.len() == group.size as usize && distinct.len() == group.ranks.len();
        if !whole || !distinct.last().is_some_and(|&rank| exists(rank)) {
            return refuse("a rank group is not `size` different GPUs".into());
        }
    }
    Ok(())
}
