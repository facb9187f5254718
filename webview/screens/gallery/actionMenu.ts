import type { GalleryAction } from '../../../src/protocol/gallery';
import type { IconName } from '../../components/iconNames';
import type { Gallery } from './galleryContext';

/** The icons of the editor's own equivalent commands. */
export const actionIcons: Readonly<Record<GalleryAction, IconName>> = {
  regenerate: 'refresh',
  vary: 'wand',
  insert: 'insert',
  saveAs: 'save-as',
  copyPath: 'copy',
  open: 'go-to-file',
  openOutside: 'link-external',
  reveal: 'folder-opened',
  showRecipe: 'file-code',
  remove: 'trash',
};

/** Opens a menu of all actions on the selected item, at a button or at the pointer. */
export function openActions({ session, strings, openMenu }: Gallery, button: HTMLElement, pointer?: MouseEvent): void {
  const details = session.details.peek();
  if (!details) return;
  openMenu(
    button,
    details.actions.map((action) => ({ label: strings[action], run: () => session.act(details.id, action) })),
    pointer,
  );
}

/** Selects a tile and opens the menu of its actions. */
export async function openActionMenu(
  gallery: Gallery,
  index: number,
  { tile, pointer }: { readonly tile: HTMLElement; readonly pointer: MouseEvent },
): Promise<void> {
  await gallery.session.select(index);
  openActions(gallery, tile, pointer);
}
