import type { GalleryTile } from '../../../src/protocol/gallery';
import { ImageCompare } from '../../components/imageCompare';
import type { Gallery } from './galleryContext';

/** Compares the two marked images with a slider. */
export function Comparing({ gallery: { session, strings } }: { readonly gallery: Gallery }) {
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
