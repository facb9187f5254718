/** Only what is there: neither null nor undefined, so that "not said" is always absent. */
export type Present<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<T>;
}

/** As `present`, and without empty text. */
export function presentWords<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as Present<T>;
}
