/** Most trusted first: VS Code's own list, then what any program can drop. */
const addressTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Whether the data contains files or URLs. Dragged text is neither. */
export function carriesFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || addressTypes.some((type) => types.includes(type));
}

/** Returns the dropped URLs without duplicates. Call it while handling the drop. */
export function droppedAddresses(data: DataTransfer): readonly string[] {
  const lists = addressTypes.map((type) => data.getData(type).split(/\r?\n/));
  const addresses = lists.map((lines) => lines.filter((line) => line !== '' && !line.startsWith('#')));
  return [...new Set(addresses.find((list) => list.length > 0) ?? [])];
}
