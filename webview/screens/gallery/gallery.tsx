import { render } from 'preact';
import { createAnnouncer } from '../../components/announcer';
import { createMenus } from '../../components/menu';
import '../../components/tablePage.css';
import type { Host } from '../../host';
import './gallery.css';
import { GallerySession } from './session';
import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import { ErrorNotice } from '../../components/errorNotice';
import { GalleryDetailsPane } from './galleryDetails';
import type {
  GalleryTile,
  GalleryAction,
  GalleryBulkAction,
  GalleryView,
  GalleryArranged,
  GalleryScreen,
} from '../../../src/protocol/gallery';
import { ImageCompare } from '../../components/imageCompare';
import { IconButton } from '../../components/iconButton';
import { ImageView } from '../../components/imageView';
import { actionIcons, actionLabel, openActionMenu } from './actionMenu';
import { pageList, pageNumber } from '../../components/pageLanguage';
import type { IconName } from '../../components/iconNames';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';
import { Icon } from '../../components/icon';
import { ThumbnailGrid } from '../../components/thumbnailGrid';
import type { Tile } from '../../components/thumbnailTile';

export function mountGallery(root: HTMLElement, host: Host<GalleryScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page gallery';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new GallerySession(host, (text) => announcer.say(text), createMenus(root));
  render(<GalleryPage session={session} />, page);
  host.on('gallery/changed', () => void session.refresh());
  void session.start();
}

function GalleryPage({ session }: { readonly session: GallerySession }) {
  const arranged = session.arranged.value;
  const isEmpty = arranged?.total === 0;
  return (
    <>
      <GalleryBar session={session} isEmpty={isEmpty} />
      <div class="table-page-notes gallery-notes">
        <ErrorNotice error={session.error.value} onReadAgain={() => void session.refresh()} />
        {arranged?.notices.map(({ id, ...notice }) => (
          <Note
            key={id}
            tone="warning"
            {...notice}
            onAct={(action) => void session.ask('gallery/mend', { notice: id, action })}
          />
        ))}
      </div>
      <div class="table-page-body">
        {isEmpty ? <EmptyGallery session={session} /> : <Shown session={session} />}
        {session.details.value && <GalleryDetailsPane session={session} />}
      </div>
      <SelectionBar session={session} />
      <LargeView session={session} />
      <Comparing session={session} />
    </>
  );
}

function Shown({ session }: { readonly session: GallerySession }) {
  const arranged = session.arranged.value;
  if (!arranged) return session.error.value ? null : <p class="gallery-nothing">{l10n.t('Loading…')}</p>;
  if (arranged.count > 0) return <GalleryGrid session={session} parts={arranged.parts} />;
  return (
    <div class="gallery-nothing">
      <p dir="auto">{session.nothingText()}</p>
      <button type="button" class="link" onClick={() => void session.change({ query: '', kind: 'all' })}>
        {l10n.t('Show All')}
      </button>
    </div>
  );
}

function EmptyGallery({ session }: { readonly session: GallerySession }) {
  return (
    <div class="gallery-nothing">
      <h2>{l10n.t('No images or videos yet')}</h2>
      <p>{l10n.t('Generated images, videos, and speech appear here.')}</p>
      {session.arranged.value?.canMake && (
        <vscode-button onClick={() => void session.ask('gallery/make', { kind: 'image' })}>
          {l10n.t('Generate an Image')}
        </vscode-button>
      )}
    </div>
  );
}

/** Compares the two selected images with a slider. */
function Comparing({ session: { selection } }: { readonly session: GallerySession }) {
  const pair = selection.pair.value;
  if (!selection.isComparing.value || !pair) return null;
  const [first, second] = pair;
  return (
    <ImageCompare
      first={toCompared(first)}
      second={toCompared(second)}
      onClose={() => (selection.isComparing.value = false)}
    />
  );
}

function toCompared({ src, label, about, text, width, height }: GalleryTile) {
  return { src, alt: label, name: about, facts: text, width, height };
}

/** The actions on all selected files; shown only while some are selected. */
function SelectionBar({ session }: { readonly session: GallerySession }) {
  const { selection } = session;
  if (selection.tiles.value.size === 0) return null;
  const actions: readonly (readonly [action: GalleryBulkAction, icon: IconName, label: string])[] = [
    ['insert', 'insert', l10n.t('Insert at Cursor…')],
    ['saveAs', 'save-as', l10n.t('Save As…')],
    ['exportDetails', 'table', l10n.t('Export Details…')],
    ['remove', 'trash', l10n.t('Delete…')],
  ];
  return (
    <div class="gallery-selection" role="group" aria-label={l10n.t('Selected files')}>
      <span class="gallery-selected">{selection.text()}</span>
      {selection.isFull.value && <span class="gallery-limit">{selection.limitText()}</span>}
      {actions.map(([action, icon, label]) => (
        <BarButton key={action} icon={icon} label={label} onClick={() => session.actOnSelected(action)} />
      ))}
      {selection.pair.value && (
        <BarButton icon="diff" label={l10n.t('Compare')} onClick={() => (selection.isComparing.value = true)} />
      )}
      <button type="button" class="link gallery-clear" onClick={() => selection.clear()}>
        {l10n.t('Clear Selection')}
      </button>
    </div>
  );
}

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

/** A button whose text gives way to its icon on narrow pages. */
function BarButton({ icon, label, onClick }: BarButtonProps) {
  return (
    <button type="button" class="bar-button" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
      <span class="gallery-bar-word">{label}</span>
    </button>
  );
}

const offered: readonly GalleryAction[] = ['insert', 'saveAs', 'copyPath', 'openOutside'];

/** The selected image in the large view. */
function LargeView({ session }: { readonly session: GallerySession }) {
  const beside = session.large.value;
  const details = session.details.value;
  if (!beside || details?.kind !== 'image') return null;
  const { id, src, label, name, width, height, texts, facts, actions } = details;
  const index = session.active.value;
  const count = String(session.arranged.value?.count ?? 0);
  return (
    <ImageView
      picture={{ src, alt: label, width, height }}
      name={name}
      {...(index !== undefined && { place: l10n.t('{0} of {1}', pageNumber(index + 1), count) })}
      facts={
        <>
          <p class="gallery-large-text few-lines" dir="auto">
            {texts[0]?.text}
          </p>
          <p class="gallery-large-facts">
            {facts.slice(0, 3).map((fact) => (
              <span key={fact.name}>{fact.value}</span>
            ))}
          </p>
        </>
      }
      actions={
        <span class="gallery-large-actions">
          {actions
            .filter((action) => offered.includes(action))
            .map((action) => (
              <IconButton
                key={action}
                icon={actionIcons[action]}
                label={actionLabel(action, details)}
                onClick={() => void session.ask('gallery/act', { id, action })}
              />
            ))}
        </span>
      }
      onPrevious={beside.previous === false ? undefined : () => session.turn(-1)}
      onNext={beside.next === false ? undefined : () => session.turn(1)}
      onClose={() => (session.large.value = undefined)}
      returnFocus={() => document.getElementById(`tile-${session.active.peek()}`)}
    />
  );
}

interface GalleryBarProps {
  readonly session: GallerySession;
  readonly isEmpty: boolean;
}

/** The title, the search and filter, the sorting, and the number of items. */
function GalleryBar({ session, isEmpty }: GalleryBarProps) {
  const { query, kind, sort } = session.view.value;
  return (
    <>
      <header class="gallery-head">
        <h1 class="table-page-name">{l10n.t('Gallery')}</h1>
        {!isEmpty && session.arranged.value?.canMake && (
          <vscode-button class="gallery-make" onClick={() => void session.ask('gallery/make', { kind: 'image' })}>
            {l10n.t('Generate an Image')}
          </vscode-button>
        )}
      </header>
      {!isEmpty && (
        <div class="gallery-bar" role="search">
          <SearchField
            label={l10n.t('Search')}
            hint={l10n.t('Search by prompt or file name, or with model:, seed:, size:, or kind:.')}
            query={query}
            onSearch={(text) => void session.change({ query: text })}
          />
          <SelectField
            label={l10n.t('Kind')}
            value={kind}
            options={kindOptions()}
            onChoose={(chosen) => void session.change({ kind: chosen })}
          />
          <SelectField
            label={l10n.t('Sort by')}
            value={sort}
            options={sortOptions()}
            onChoose={(chosen) => void session.change({ sort: chosen })}
          />
          <span class="table-page-facts">{session.arranged.value?.countText}</span>
        </div>
      )}
    </>
  );
}

function kindOptions(): readonly { readonly value: GalleryView['kind']; readonly label: string }[] {
  return [
    { value: 'all', label: l10n.t('All kinds') },
    { value: 'image', label: l10n.t('Images') },
    { value: 'video', label: l10n.t('Videos') },
    { value: 'speech', label: l10n.t('Speech') },
  ];
}

function sortOptions(): readonly { readonly value: GalleryView['sort']; readonly label: string }[] {
  return [
    { value: 'newest', label: l10n.t('Newest first') },
    { value: 'oldest', label: l10n.t('Oldest first') },
    { value: 'model', label: l10n.t('By model') },
  ];
}

interface GalleryGridProps {
  readonly session: GallerySession;
  readonly parts: GalleryArranged['parts'];
}

/** Minimum width in pixels. */
const tileWidth = 148;

function GalleryGrid({ session, parts }: GalleryGridProps) {
  const { selection, pages } = session;
  return (
    <ThumbnailGrid
      label={l10n.t('Generated files')}
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
      selected={selection.tiles.value}
      onMove={(index) => void session.select(index)}
      onOpen={(index) => void session.open(index)}
      onSelect={(index, from) => void (from === undefined ? selection.toggle(index) : selection.extend(from, index))}
      onMenu={(index, tile, pointer) => void openActionMenu(session, index, { tile, pointer })}
      onKey={(key, index, event) => onTileKey(session, key, { index, event })}
    />
  );
}

function onTileKey(
  session: GallerySession,
  key: string,
  { index, event }: { readonly index: number; readonly event: KeyboardEvent },
): void {
  const { selection } = session;
  const tile = session.tileAt(index);
  const isAll = key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey);
  if (isAll) void selection.all(session.arranged.peek()?.count ?? 0);
  else if (key === 'Delete' && selection.tiles.peek().size > 0) session.actOnSelected('remove');
  else if (key === 'Delete' && tile) void session.ask('gallery/act', { id: tile.id, action: 'remove' });
  else if (key === 'Escape' && session.details.peek()) session.closeDetails();
  else if (key === 'Escape') selection.clear();
  else return;
  event.preventDefault();
}

function toGridTile(tile: GalleryTile | undefined): Tile | undefined {
  if (!tile) return undefined;
  const { id, kind, label: name, about, src, text, ...size } = tile;
  const label = about === '' ? name : pageList([name, about]);
  const caption = text;
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
