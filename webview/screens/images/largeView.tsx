import type { ImageTile } from '../../../src/protocol/images';
import { fill } from '../../components/fill';
import { IconButton } from '../../components/iconButton';
import { ImageCompare } from '../../components/imageCompare';
import { ImageView } from '../../components/imageView';
import type { Images } from './imagesContext';

/** One image as large as the page, or two compared with a slider. */
export function LargeView({ images }: { readonly images: Images }) {
  const { session, strings } = images;
  const tile = session.tile(session.large.value);
  const other = session.tile(session.compared.value);
  if (tile?.uri === undefined) return null;
  const returnFocus = () => document.getElementById(`tile-${tile.id}`);
  const onClose = () => session.closeLarge();
  if (other?.uri !== undefined) {
    return (
      <ImageCompare
        first={comparedOf(images, tile)}
        second={comparedOf(images, other)}
        strings={strings}
        onClose={onClose}
        returnFocus={returnFocus}
      />
    );
  }
  const all = session.pictures.value;
  const at = all.findIndex(({ id }) => id === tile.id);
  const step = (to: number) => {
    const next = all[to];
    return next && (() => void (session.large.value = next.id));
  };
  return (
    <ImageView
      picture={fileOf(tile)}
      name={tile.prompt}
      place={fill(strings.place, at + 1, all.length)}
      facts={<Facts images={images} tile={tile} />}
      actions={<Actions images={images} tile={tile} />}
      strings={strings}
      onPrevious={step(at - 1)}
      onNext={step(at + 1)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  );
}

function Facts({ images: { strings }, tile }: { readonly images: Images; readonly tile: ImageTile }) {
  const { seed, ...others } = tile;
  const facts = seed === undefined ? factsOf(others) : `${fill(strings.seedFact, seed)} · ${factsOf(others)}`;
  return (
    <span class="images-large-facts" dir="auto">
      <span class="few-lines">{tile.prompt}</span>
      <span title={tile.cost?.hint}>{facts}</span>
    </span>
  );
}

function Actions({ images: { session, strings }, tile }: { readonly images: Images; readonly tile: ImageTile }) {
  return (
    <>
      <IconButton icon="copy" label={strings.copy} onClick={() => void session.copy(tile)} />
      <IconButton icon="insert" label={strings.insert} onClick={() => session.onTile(tile.id, 'insert')} />
      <IconButton icon="save-as" label={strings.saveAs} onClick={() => session.onTile(tile.id, 'saveAs')} />
      <IconButton icon="go-to-file" label={strings.open} onClick={() => session.onTile(tile.id, 'open')} />
      {tile.seed !== undefined && (
        <IconButton
          icon="pin"
          label={strings.useSeed}
          onClick={() => {
            session.closeLarge();
            session.useSeed(tile);
          }}
        />
      )}
    </>
  );
}

function factsOf({ model, size, seconds, cost }: ImageTile): string {
  return [model, size, seconds, cost?.text].filter(Boolean).join(' · ');
}

function fileOf({ uri = '', prompt, width, height }: ImageTile) {
  return { src: uri, alt: prompt, width, height };
}

function comparedOf({ strings }: Images, { seed, ...tile }: ImageTile) {
  const name = seed === undefined ? tile.size : fill(strings.seedFact, seed);
  return { ...fileOf(tile), name, facts: factsOf(tile) };
}
