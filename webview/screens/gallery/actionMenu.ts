import * as l10n from '@vscode/l10n';
import type { GalleryAction, GalleryDetails } from '../../../src/protocol/gallery';
import type { IconName } from '../../components/iconNames';
import type { GallerySession } from './session';

/** The icons of the editor's own equivalent commands. */
export const actionIcons: Readonly<Record<GalleryAction, IconName>> = {
  regenerate: 'refresh',
  vary: 'wand',
  edit: 'edit',
  useAsFirstFrame: 'device-camera-video',
  insert: 'insert',
  saveAs: 'save-as',
  copyPath: 'copy',
  open: 'go-to-file',
  openOutside: 'link-external',
  reveal: 'folder-opened',
  showRecipe: 'file-code',
  remove: 'trash',
};

export function actionLabel(action: GalleryAction, { regenerate }: GalleryDetails): string {
  switch (action) {
    case 'regenerate':
      return regenerate ?? l10n.t('Regenerate');
    case 'vary':
      return l10n.t('Edit and Generate…');
    case 'edit':
      return l10n.t('Edit Image…');
    case 'useAsFirstFrame':
      return l10n.t('Use as First Frame');
    case 'insert':
      return l10n.t('Insert at Cursor…');
    case 'saveAs':
      return l10n.t('Save As…');
    case 'copyPath':
      return l10n.t('Copy Path');
    case 'open':
      return l10n.t('Open');
    case 'openOutside':
      return l10n.t('Open Externally');
    case 'reveal':
      return l10n.t('Open Containing Folder');
    case 'showRecipe':
      return l10n.t('Show Details');
    case 'remove':
      return l10n.t('Delete…');
  }
}

/** Opens a menu of all actions on the selected item, at a button or at the pointer. */
export function openActions(session: GallerySession, button: HTMLElement, pointer?: MouseEvent): void {
  const details = session.details.peek();
  if (!details) return;
  session.openMenu(
    button,
    details.actions.map((action) => ({
      label: actionLabel(action, details),
      run: () => void session.ask('gallery/act', { id: details.id, action }),
    })),
    pointer,
  );
}

/** Selects a tile and opens the menu of its actions. */
export async function openActionMenu(
  session: GallerySession,
  index: number,
  { tile, pointer }: { readonly tile: HTMLElement; readonly pointer: MouseEvent },
): Promise<void> {
  await session.select(index);
  openActions(session, tile, pointer);
}
