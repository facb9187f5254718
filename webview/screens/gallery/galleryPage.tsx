import { Note } from '../../components/note';
import { ErrorNotice } from '../../components/errorNotice';
import { Comparing } from './comparing';
import { GalleryBar } from './galleryBar';
import type { Gallery } from './galleryContext';
import { GalleryDetailsPane } from './galleryDetails';
import { GalleryGrid } from './galleryGrid';
import { LargeView } from './largeView';
import { MarkBar } from './markBar';

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
