/** The ids of a list of models; `undefined` while it was never read: nothing is said of models then. The same set for the same list. */
export function createListedModels(
  read: () => readonly { readonly id: string }[],
): () => ReadonlySet<string> | undefined {
  let known: { readonly models: object; readonly ids: ReadonlySet<string> | undefined } | undefined;
  return () => {
    const models = read();
    if (known?.models !== models) {
      known = { models, ids: models.length === 0 ? undefined : new Set(models.map(({ id }) => id)) };
    }
    return known.ids;
  };
}
