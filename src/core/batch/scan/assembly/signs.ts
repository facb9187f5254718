/**
 * Characters that are searched for in sixteen bytes at once, each repeated sixteen times, as `prepare` writes them. They are read from
 * memory because V8 builds a constant of this size again for each use.
 */
export const signBytes: usize = 16;
export const stringSigns: usize = 64;
export const rareSigns: usize = 128;

export function writeSigns(): void {
  write(stringSigns, 0x22, 0x5c, 0x20, 0);
  write(rareSigns, 0x2d, 0x5f, 0x4b, 0x7a);
}

function write(to: usize, first: u8, second: u8, third: u8, fourth: u8): void {
  v128.store(to, i8x16.splat(first));
  v128.store(to, i8x16.splat(second), signBytes);
  v128.store(to, i8x16.splat(third), 2 * signBytes);
  v128.store(to, i8x16.splat(fourth), 3 * signBytes);
}
