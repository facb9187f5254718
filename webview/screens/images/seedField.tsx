import { IconButton } from '../../components/iconButton';
import { NumberField } from '../../components/parameterFields';
import { randomSeed } from '../randomSeed';
import { fieldOf } from './fields';
import type { Images } from './imagesContext';

/** The seed, with a button that randomizes it. Without a seed, the service chooses one. */
export function SeedField({ images }: { readonly images: Images }) {
  const { strings } = images;
  const field = fieldOf(images, 'seed');
  return (
    <NumberField {...field} id="seed" label={strings.seed} placeholder={strings.seedRandom}>
      <IconButton icon="refresh" label={strings.throwSeed} onClick={() => field.onInput(randomSeed(Math.random()))} />
      {field.value !== '' && <IconButton icon="close" label={strings.emptySeed} onClick={() => field.onInput('')} />}
    </NumberField>
  );
}
