import * as l10n from '@vscode/l10n';
import type { ImageTile, TileAction } from '../../../src/protocol/images';
import { createMenus, type MenuItem } from '../../components/menu';
import type { ImagesSession } from './session';

/** Opens the menu with all actions on an image, at the pointer if there is one. */
export function openTileMenu(
  opener: HTMLElement,
  { session, tile, at }: { readonly session: ImagesSession; readonly tile: ImageTile; readonly at?: MouseEvent },
): void {
  createMenus(opener.closest('main') ?? document.body)(opener, tileMenu(session, tile), at);
}

function tileMenu(session: ImagesSession, tile: ImageTile): readonly MenuItem[] {
  const act = (label: string, action: TileAction): MenuItem => ({
    label,
    run: () => void session.ask('images/tile', { id: tile.id, action }),
  });
  const comparing = session.comparing.peek();
  const compare =
    comparing === undefined
      ? l10n.t('Compare with Image…')
      : comparing === tile.id
        ? l10n.t('Cancel Comparison')
        : l10n.t('Compare with Selected Image');
  return [
    { label: l10n.t('Copy Image'), run: () => void session.copy(tile) },
    act(l10n.t('Copy Path'), 'copyPath'),
    act(l10n.t('Insert at Cursor'), 'insert'),
    act(l10n.t('Save As…'), 'saveAs'),
    act(l10n.t('Open'), 'open'),
    act(l10n.t('Show in Folder'), 'reveal'),
    { label: compare, run: () => session.compare(tile.id) },
    ...(tile.seed === undefined ? [] : [{ label: l10n.t('Use This Seed'), run: () => session.useSeed(tile) }]),
    act(l10n.t('Vary'), 'vary'),
    act(l10n.t('Edit Image…'), 'edit'),
    act(l10n.t('Use as First Frame'), 'useAsFirstFrame'),
    act(tile.regenerate ?? l10n.t('Regenerate'), 'regenerate'),
    act(l10n.t('Show Details'), 'showRecipe'),
    act(l10n.t('Delete…'), 'remove'),
  ];
}
