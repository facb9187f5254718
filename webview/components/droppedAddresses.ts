/** In the order of trust in them: the editor's own list first, then what any program may drop. */
const addressTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Whether it has files or addresses; text that is dragged is neither. */
export function carriesFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || addressTypes.some((type) => types.includes(type));
}

/** The addresses of what is dropped, each once. To be called while the drop is handled. */
export function droppedAddresses(data: DataTransfer): readonly string[] {
  const lists = addressTypes.map((type) => data.getData(type).split(/\r?\n/));
  const addresses = lists.map((lines) => lines.filter((line) => line !== '' && !line.startsWith('#')));
  return [...new Set(addresses.find((list) => list.length > 0) ?? [])];
}
