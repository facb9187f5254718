const listedColumns = 8;

/** The columns as they are written in a prompt, for a sentence. */
export function columnsText(columns: readonly string[]): string {
  const names = columns.slice(0, listedColumns).map((column) => `{{${column}}}`);
  return [...names, ...(columns.length > listedColumns ? ['…'] : [])].join(' ');
}
