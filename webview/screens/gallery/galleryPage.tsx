import * as l10n from '@vscode/l10n';
import { Note } from '../../components/note';
import { ErrorNotice } from '../../components/errorNotice';
import type { GallerySession } from './session';
import { GalleryDetailsPane } from './galleryDetails';
import { GalleryGrid } from './galleryGrid';
import type { GalleryTile, GalleryAction, GalleryView } from '../../../src/protocol/gallery';
import { ImageCompare } from '../../components/imageCompare';
import { IconButton } from '../../components/iconButton';
import { ImageView } from '../../components/imageView';
import { actionIcons, actionLabel } from './actionMenu';
import { pageNumber } from '../../components/pageLanguage';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';

export function GalleryPage({ session }: { readonly session: GallerySession }) {
  const arranged = session.arranged.value;
  const isEmpty = arranged?.total === 0;
  return (
    <>
      <GalleryBar session={session} isEmpty={isEmpty} />
      <div class="table-page-notes gallery-notes">
        <ErrorNotice trouble={session.trouble.value} onReadAgain={() => void session.refresh()} />
        {arranged?.notices.map(({ id, ...notice }) => (
          <Note key={id} tone="warning" {...notice} onAct={(action) => session.mend(id, action)} />
        ))}
      </div>
      <MarkBar session={session} />
      <div class="table-page-body">
        {isEmpty ? <EmptyGallery session={session} /> : <Shown session={session} />}
        {session.details.value && <GalleryDetailsPane session={session} />}
      </div>
      <LargeView session={session} />
      <Comparing session={session} />
    </>
  );
}

function Shown({ session }: { readonly session: GallerySession }) {
  const arranged = session.arranged.value;
  if (!arranged) return session.trouble.value ? null : <p class="gallery-nothing">{l10n.t('Reading the recipes')}</p>;
  if (arranged.count > 0) return <GalleryGrid session={session} parts={arranged.parts} />;
  return (
    <div class="gallery-nothing">
      <p dir="auto">{session.nothingText()}</p>
      <button type="button" class="link" onClick={() => void session.change({ query: '', kind: 'all' })}>
        {l10n.t('Show all')}
      </button>
    </div>
  );
}

function EmptyGallery({ session }: { readonly session: GallerySession }) {
  return (
    <div class="gallery-nothing">
      <h2>{l10n.t('Nothing was made yet')}</h2>
      <p>{l10n.t('Images, videos and speech you make appear here, each with how it was made.')}</p>
      <vscode-button onClick={() => session.make('image')}>{l10n.t('Make an Image')}</vscode-button>
    </div>
  );
}

/** Compares the two marked images with a slider. */
function Comparing({ session }: { readonly session: GallerySession }) {
  const { marks } = session;
  const [first, second] = marks.tiles.value;
  if (!marks.isComparing.value || !first || !second) return null;
  return (
    <ImageCompare
      first={toCompared(first)}
      second={toCompared(second)}
      onClose={() => (marks.isComparing.value = false)}
    />
  );
}

function toCompared({ src, label, caption, text, width, height }: GalleryTile) {
  return { src, alt: label, name: caption, facts: text, width, height };
}

/** The images selected for comparison. */
function MarkBar({ session }: { readonly session: GallerySession }) {
  const { marks } = session;
  const count = marks.tiles.value.length;
  const refusal = marks.refusal.value;
  if (count === 0 && refusal === '') return null;
  return (
    <div class="gallery-marks">
      {count > 0 && (
        <span>{count === 1 ? l10n.t('1 selected. Select another one to compare.') : l10n.t('2 selected')}</span>
      )}
      {refusal && <span class="gallery-refusal">{refusal}</span>}
      {count === 2 && (
        <vscode-button class="gallery-compare" appearance="secondary" onClick={() => (marks.isComparing.value = true)}>
          {l10n.t('Compare')}
        </vscode-button>
      )}
      {count > 0 && (
        <button type="button" class="link" onClick={() => marks.clear()}>
          {l10n.t('Clear selection')}
        </button>
      )}
    </div>
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
                label={actionLabel(action)}
                onClick={() => session.act(id, action)}
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
        {!isEmpty && (
          <vscode-button class="gallery-make" onClick={() => session.make('image')}>
            {l10n.t('Make an Image')}
          </vscode-button>
        )}
      </header>
      {!isEmpty && (
        <div class="gallery-bar" role="search">
          <SearchField
            label={l10n.t('Search')}
            hint={l10n.t('Words of the prompt, model, seed, size or file name. Also model:, seed:, size:, kind:')}
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
            label={l10n.t('Order')}
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
