import { useEffect } from 'preact/hooks';
import { carriesFiles } from '../../components/droppedAddresses';
import { DropTarget } from '../../components/dropTarget';
import { readImages } from './readImages';
import type { Videos } from './videosContext';

/** Accepts an image that is dropped anywhere on the page, or pasted. */
export function ImageDrop({ videos: { session, strings } }: { readonly videos: Videos }) {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const data = event.clipboardData;
      // If the data includes text, e.g. of a table, the user wanted to paste that into a text field.
      if (!data || !carriesFiles(data) || data.types.includes('text/plain')) return;
      event.preventDefault();
      void session.givePicture(readImages(data));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [session]);
  return (
    <DropTarget
      icon="device-camera-video"
      text={strings.dropHere}
      onDrop={(data) => void session.givePicture(readImages(data))}
    />
  );
}
