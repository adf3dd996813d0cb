// File systems by what Linux calls them: which of them other machines can write to at the same time.

/** By the numbers of `statfs`. */
export const sharedFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p, which shares a directory of another system'],
  [0x6a656a63, 'virtiofs, which shares a directory of the host'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
]);

/** Kinds of FUSE that keep everything on this machine; of any other nobody knows. */
export const localFuse: ReadonlySet<string> = new Set([
  'fuseblk',
  'fuse.ntfs-3g',
  'fuse.exfat',
  'fuse.ext2',
  'fuse.gocryptfs',
  'fuse.encfs',
  'fuse.cryfs',
  'fuse.securefs',
  'fuse.bindfs',
  'fuse.mergerfs',
  'fuse.unionfs',
  'fuse.fuse-overlayfs',
  'fuse.lxcfs',
]);
