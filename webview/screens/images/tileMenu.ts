import type { ImageTile } from '../../../src/protocol/images';
import type { MenuItem } from '../../components/menu';
import type { Images } from './imagesContext';

/** Returns all actions on an image. */
export function tileMenu({ session, strings }: Images, tile: ImageTile): readonly MenuItem[] {
  const act = (label: string, action: Parameters<typeof session.onTile>[1]): MenuItem => ({
    label,
    run: () => session.onTile(tile.id, action),
  });
  const comparing = session.comparing.peek();
  const compare =
    comparing === undefined ? strings.compare : comparing === tile.id ? strings.compareStop : strings.compareWithFirst;
  return [
    { label: strings.copy, run: () => void session.copy(tile) },
    act(strings.copyPath, 'copyPath'),
    act(strings.insert, 'insert'),
    act(strings.saveAs, 'saveAs'),
    act(strings.open, 'open'),
    act(strings.reveal, 'reveal'),
    { label: compare, run: () => session.compare(tile.id) },
    ...(tile.seed === undefined ? [] : [{ label: strings.useSeed, run: () => session.useSeed(tile) }]),
    act(strings.vary, 'vary'),
    act(strings.regenerate, 'regenerate'),
    act(strings.showRecipe, 'showRecipe'),
    act(strings.remove, 'remove'),
  ];
}
