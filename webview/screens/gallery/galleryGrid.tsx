import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { GalleryArranged, GalleryTile } from '../../../src/protocol/gallery';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { ThumbnailGrid } from '../../components/thumbnailGrid';
import type { Tile } from '../../components/thumbnailTile';
import { openActionMenu } from './actionMenu';
import type { GallerySession } from './session';

interface GalleryGridProps {
  readonly session: GallerySession;
  readonly parts: GalleryArranged['parts'];
}

/** Minimum width in pixels. */
const tileWidth = 148;

export function GalleryGrid({ session, parts }: GalleryGridProps) {
  const { marks, pages } = session;
  const marked = marks.tiles.value;
  const selected = useMemo(() => new Set(marked.map(({ id }) => id)), [marked]);
  return (
    <ThumbnailGrid
      label={l10n.t('What was made')}
      parts={parts}
      tileWidth={tileWidth}
      hasCaptions
      tileAt={(index) => toGridTile(session.tileAt(index))}
      onSight={(first, end) => pages.want(first, end)}
      active={session.active.value}
      reveal={session.reveal.value}
      moved={session.moved.value}
      scroll={session.firstScroll}
      onScroll={(scrollTop, first) => session.onScroll(scrollTop, first)}
      selected={selected}
      onMove={(index) => void session.select(index)}
      onOpen={(index) => void session.open(index)}
      onSelect={(index) => void session.toggleMark(index)}
      onMenu={(index, tile, pointer) => void openActionMenu(session, index, { tile, pointer })}
      onKey={(key, index, event) => onTileKey(session, key, { index, event })}
      actions={(tile, index, isActive) =>
        tile.shows?.kind === 'picture' && (
          <IconButton
            icon={selected.has(tile.id) ? 'close' : 'diff'}
            label={
              selected.has(tile.id) ? l10n.t('Take from comparing (Space)') : l10n.t('Select for comparing (Space)')
            }
            tabIndex={isActive ? 0 : -1}
            onClick={() => void session.toggleMark(index)}
          />
        )
      }
    />
  );
}

function onTileKey(
  session: GallerySession,
  key: string,
  { index, event }: { readonly index: number; readonly event: KeyboardEvent },
): void {
  const tile = session.tileAt(index);
  if (key === 'Delete' && tile) session.act(tile.id, 'remove');
  else if (key === 'Escape' && session.details.peek()) session.closeDetails();
  else if (key === 'Escape') session.marks.clear();
  else return;
  event.preventDefault();
}

function toGridTile(tile: GalleryTile | undefined): Tile | undefined {
  if (!tile) return undefined;
  const { id, kind, label, caption, src, text, ...size } = tile;
  if (kind !== 'speech')
    return {
      id,
      label,
      caption,
      shows: { kind: kind === 'image' ? 'picture' : 'video', src, ...size },
      ...(kind === 'video' && { badge: 'play' }),
    };
  const content = (
    <>
      <Icon name="unmute" />
      <span class="gallery-spoken few-lines" dir="auto" aria-hidden="true">
        {text}
      </span>
    </>
  );
  return { id, label, caption, content };
}
