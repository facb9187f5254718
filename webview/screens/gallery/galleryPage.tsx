import { Note } from '../../components/note';
import { ErrorNotice } from '../../components/errorNotice';
import type { Gallery } from './galleryContext';
import { GalleryDetailsPane } from './galleryDetails';
import { GalleryGrid } from './galleryGrid';
import type { GalleryTile, GalleryAction, GalleryView } from '../../../src/protocol/gallery';
import { ImageCompare } from '../../components/imageCompare';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { ImageView } from '../../components/imageView';
import { actionIcons } from './actionMenu';
import type { GalleryStrings } from '../../../src/protocol/galleryStrings';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';

export function GalleryPage({ gallery }: { readonly gallery: Gallery }) {
  const { session, strings } = gallery;
  const arranged = session.arranged.value;
  const isEmpty = arranged?.total === 0;
  return (
    <>
      <GalleryBar gallery={gallery} isEmpty={isEmpty} />
      <div class="table-page-notes gallery-notes">
        <ErrorNotice
          trouble={session.trouble.value}
          readAgain={strings.readAgain}
          onReadAgain={() => void session.refresh()}
        />
        {arranged?.notices.map(({ id, ...notice }) => (
          <Note key={id} tone="warning" {...notice} onAct={(action) => session.mend(id, action)} />
        ))}
      </div>
      <MarkBar gallery={gallery} />
      <div class="table-page-body">
        {isEmpty ? <EmptyGallery gallery={gallery} /> : <Shown gallery={gallery} />}
        {session.details.value && <GalleryDetailsPane gallery={gallery} />}
      </div>
      <LargeView gallery={gallery} />
      <Comparing gallery={gallery} />
    </>
  );
}

function Shown({ gallery }: { readonly gallery: Gallery }) {
  const { session, strings } = gallery;
  const arranged = session.arranged.value;
  if (!arranged) return session.trouble.value ? null : <p class="gallery-nothing">{strings.reading}</p>;
  if (arranged.count > 0) return <GalleryGrid gallery={gallery} parts={arranged.parts} />;
  return (
    <div class="gallery-nothing">
      <p dir="auto">{session.nothingText()}</p>
      <button type="button" class="link" onClick={() => void session.change({ query: '', kind: 'all' })}>
        {strings.showAll}
      </button>
    </div>
  );
}

function EmptyGallery({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
  return (
    <div class="gallery-nothing">
      <h2>{strings.emptyTitle}</h2>
      <p>{strings.emptyDetail}</p>
      <vscode-button onClick={() => session.make('image')}>{strings.newImage}</vscode-button>
    </div>
  );
}

/** Compares the two marked images with a slider. */
function Comparing({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
  const { marks } = session;
  const [first, second] = marks.tiles.value;
  if (!marks.isComparing.value || !first || !second) return null;
  return (
    <ImageCompare
      first={toCompared(first)}
      second={toCompared(second)}
      strings={strings}
      onClose={() => (marks.isComparing.value = false)}
    />
  );
}

function toCompared({ src, label, caption, text, width, height }: GalleryTile) {
  return { src, alt: label, name: caption, facts: text, width, height };
}

/** The images selected for comparison. */
function MarkBar({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
  const { marks } = session;
  const count = marks.tiles.value.length;
  const refusal = marks.refusal.value;
  if (count === 0 && refusal === '') return null;
  return (
    <div class="gallery-marks">
      {count > 0 && <span>{count === 1 ? strings.selectedOne : strings.selectedTwo}</span>}
      {refusal && <span class="gallery-refusal">{refusal}</span>}
      {count === 2 && (
        <vscode-button class="gallery-compare" appearance="secondary" onClick={() => (marks.isComparing.value = true)}>
          {strings.compare}
        </vscode-button>
      )}
      {count > 0 && (
        <button type="button" class="link" onClick={() => marks.clear()}>
          {strings.clearSelection}
        </button>
      )}
    </div>
  );
}

const offered: readonly GalleryAction[] = ['insert', 'saveAs', 'copyPath', 'openOutside'];

/** The selected image in the large view. */
function LargeView({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
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
      {...(index !== undefined && { place: fill(strings.place, index + 1, count) })}
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
                label={strings[action]}
                onClick={() => session.act(id, action)}
              />
            ))}
        </span>
      }
      strings={strings}
      onPrevious={beside.previous === false ? undefined : () => session.turn(-1)}
      onNext={beside.next === false ? undefined : () => session.turn(1)}
      onClose={() => (session.large.value = undefined)}
      returnFocus={() => document.getElementById(`tile-${session.active.peek()}`)}
    />
  );
}

interface GalleryBarProps {
  readonly gallery: Gallery;
  readonly isEmpty: boolean;
}

/** The title, the search and filter, the sorting, and the number of items. */
function GalleryBar({ gallery: { session, strings }, isEmpty }: GalleryBarProps) {
  const { query, kind, sort } = session.view.value;
  return (
    <>
      <header class="gallery-head">
        <h1 class="table-page-name">{strings.title}</h1>
        {!isEmpty && (
          <vscode-button class="gallery-make" onClick={() => session.make('image')}>
            {strings.newImage}
          </vscode-button>
        )}
      </header>
      {!isEmpty && (
        <div class="gallery-bar" role="search">
          <SearchField
            label={strings.search}
            hint={strings.searchHint}
            query={query}
            onSearch={(text) => void session.change({ query: text })}
          />
          <SelectField
            label={strings.kinds}
            value={kind}
            options={kindsOf(strings)}
            onChoose={(chosen) => void session.change({ kind: chosen })}
          />
          <SelectField
            label={strings.sort}
            value={sort}
            options={sortsOf(strings)}
            onChoose={(chosen) => void session.change({ sort: chosen })}
          />
          <span class="table-page-facts">{session.arranged.value?.countText}</span>
        </div>
      )}
    </>
  );
}

function kindsOf(strings: GalleryStrings): readonly { readonly value: GalleryView['kind']; readonly label: string }[] {
  return [
    { value: 'all', label: strings.kindAll },
    { value: 'image', label: strings.kindImages },
    { value: 'video', label: strings.kindVideos },
    { value: 'speech', label: strings.kindSpeech },
  ];
}

function sortsOf(strings: GalleryStrings): readonly { readonly value: GalleryView['sort']; readonly label: string }[] {
  return [
    { value: 'newest', label: strings.sortNewest },
    { value: 'oldest', label: strings.sortOldest },
    { value: 'model', label: strings.sortModel },
  ];
}
