import * as vscode from 'vscode';
import { ListRow } from '../../../platform/listRow';
import type { Services } from '../../../services/services';
import type { MediaRow } from '../mediaRow';
import { toMediaItem } from './mediaItem';
import { mediaRows } from './mediaRows';
import { mediaTooltip } from './mediaTooltip';
import { isUnderWay } from './underWay';

/** The rows of the view, read again each time; a row keeps its identity while it exists. */
export interface MediaList {
  /** Rejects if the rows cannot be read. */
  read(): Promise<readonly ListRow<MediaRow>[]>;
  /** Rows whose text changes as time passes. */
  ticking(): readonly ListRow<MediaRow>[];
  toItem(row: ListRow<MediaRow>): vscode.TreeItem;
  tooltipOf(row: ListRow<MediaRow>): vscode.MarkdownString;
  /** Returns the URIs of the rows' files for a drag, as a URI list; `undefined` if there are none. */
  dragged(rows: readonly ListRow<MediaRow>[]): string | undefined;
}

export function createMediaList({ media, profiles }: Services): MediaList {
  let known: ReadonlyMap<string, ListRow<MediaRow>> = new Map();
  return {
    async read() {
      await media.ready();
      const made = await media.assets.list();
      const rows = mediaRows({ jobs: media.jobs, unreadable: media.unreadable, made });
      known = new Map(
        rows.map((item) => {
          const row = known.get(item.key) ?? new ListRow<MediaRow>(item.key, item);
          row.item = item;
          return [item.key, row];
        }),
      );
      return [...known.values()];
    },
    ticking: () => [...known.values()].filter(({ item }) => item.kind === 'job' && isUnderWay(item.job)),
    toItem: ({ key, item }) => Object.assign(toMediaItem(item, Date.now()), { id: key }),
    tooltipOf: ({ item }) => mediaTooltip(item, (id) => profiles.get(id)?.name),
    dragged(rows) {
      const files = rows.flatMap(({ item }) => (item.kind === 'made' ? [vscode.Uri.file(item.asset.path)] : []));
      return files.length === 0 ? undefined : files.map(String).join('\r\n');
    },
  };
}
