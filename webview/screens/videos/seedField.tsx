import { useId } from 'preact/hooks';
import { IconButton } from '../../components/iconButton';
import { randomSeed } from '../randomSeed';
import { FieldNote } from '../../components/parameter';
import type { Videos } from './videosContext';

export function SeedField({ videos: { session, strings } }: { readonly videos: Videos }) {
  const id = useId();
  const { seed } = session.typed.form.value;
  const issue = session.typed.issues.value.seed;
  const edit = (value: string) => session.typed.edit({ seed: value });
  return (
    <div class="video-field video-seed" title={strings.seedHint}>
      <label for={id}>{strings.seed}</label>
      <div class="video-box">
        <input
          id={id}
          type="text"
          inputmode="numeric"
          autocomplete="off"
          spellcheck={false}
          placeholder={strings.seedPlaceholder}
          aria-invalid={issue !== undefined}
          aria-describedby={`${id}-issue`}
          value={seed}
          onInput={({ currentTarget }) => edit(currentTarget.value)}
        />
        {seed !== '' && <IconButton icon="close" label={strings.clearSeed} onClick={() => edit('')} />}
        <IconButton icon="refresh" label={strings.dice} onClick={() => edit(randomSeed(Math.random()))} />
      </div>
      <FieldNote id={`${id}-issue`} issue={issue} />
    </div>
  );
}
