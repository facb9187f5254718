/** The icons of what the lists of the chat offer, and of attachments, by kind: names of codicons. */
export const offerIcons = {
  selection: 'selection',
  openFile: 'file',
  problems: 'warning',
  terminal: 'terminal',
  changes: 'diff',
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-misc',
  /** Lets the user choose files and folders in a dialog. */
  browse: 'folder-opened',
  /** Lets the user choose images in a dialog. */
  image: 'file-media',
  /** A tool, or all of them: the page offers these itself. */
  tool: 'tools',
  task: 'wand',
  promptFile: 'comment-discussion',
  command: 'chevron-right',
} as const;

export type OfferKind = keyof typeof offerIcons;
