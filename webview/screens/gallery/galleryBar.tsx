import type { GalleryView } from '../../../src/protocol/gallery';
import type { GalleryStrings } from '../../../src/protocol/galleryStrings';
import { SearchField } from '../../components/searchField';
import { SelectField } from '../../components/selectField';
import type { Gallery } from './galleryContext';

interface GalleryBarProps {
  readonly gallery: Gallery;
  readonly isEmpty: boolean;
}

/** The title, the search and filter, the sorting, and the number of items. */
export function GalleryBar({ gallery: { session, strings }, isEmpty }: GalleryBarProps) {
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
