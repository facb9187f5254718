/** Fields without null and undefined, so that "not specified" is always an absent field. */
export type Present<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>;
}

/** Like `present`, but also drops empty strings. */
export function presentWords<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as Present<T>;
}
