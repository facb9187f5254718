const listedColumns = 8;

/** Lists the columns as placeholders of a prompt, to be used in a sentence. */
export function columnsText(columns: readonly string[]): string {
  const names = columns.slice(0, listedColumns).map((column) => `{{${column}}}`);
  return [...names, ...(columns.length > listedColumns ? ['…'] : [])].join(' ');
}
