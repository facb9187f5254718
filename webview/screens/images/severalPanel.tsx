import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import { ChoiceField, NumberField } from '../../components/parameterFields';
import type { ImagesSession } from './session';
import { ShapeButton } from './sizeField';

/** Multiple seeds, sizes and prompts; one image is generated for each combination. */
export function SeveralPanel({ session }: { readonly session: ImagesSession }) {
  const { isSeveral } = session.typed.form.value;
  return (
    <div class="images-several">
      <label class="check">
        <input
          type="checkbox"
          checked={isSeveral}
          aria-expanded={isSeveral}
          aria-controls={isSeveral ? 'several' : undefined}
          onChange={({ currentTarget }) => session.typed.edit({ isSeveral: currentTarget.checked })}
        />
        {l10n.t('Variations')}
      </label>
      {isSeveral && (
        <div class="images-several-body" id="several" role="group" aria-label={l10n.t('Variations')}>
          <Check session={session} name="eachLine" label={l10n.t('One image for each line of the prompt')} />
          <Check
            session={session}
            name="alternatives"
            label={l10n.t('Alternatives in braces, such as a {red|green|blue} door')}
          />
          <Seeds session={session} />
          <Sizes session={session} />
        </div>
      )}
    </div>
  );
}

interface CheckProps {
  readonly session: ImagesSession;
  readonly name: 'eachLine' | 'alternatives';
  readonly label: string;
}

function Check({ session, name, label }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={session.typed.form.value[name]}
        onChange={({ currentTarget }) => session.typed.edit({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
}

function Seeds({ session }: { readonly session: ImagesSession }) {
  const { seeds, seedCount } = session.typed.form.value;
  const { issues } = session.typed.answer.value;
  return (
    <div class="images-seeds">
      <ChoiceField
        label={l10n.t('Seeds')}
        value={seeds}
        choices={[
          { value: 'one', label: l10n.t('Same seed') },
          { value: 'sequence', label: l10n.t('Consecutive seeds') },
          { value: 'random', label: l10n.t('Random seeds') },
        ]}
        onChoose={(value) => session.typed.edit({ seeds: value })}
      />
      {seeds !== 'one' && (
        <NumberField
          label={l10n.t('Number of seeds')}
          value={seedCount}
          placeholder="4"
          note={{ issue: issues.seedCount }}
          onInput={(value) => session.typed.edit({ seedCount: value })}
        />
      )}
    </div>
  );
}

function Sizes({ session }: { readonly session: ImagesSession }) {
  const id = useId();
  const { sizes: ticked } = session.typed.form.value;
  const { sizes, notTaken } = session.typed.answer.value;
  if (notTaken.image_size !== undefined) return null;
  const shown = [...sizes, ...ticked.filter((size) => !sizes.includes(size))];
  const toggle = (size: string) =>
    session.typed.edit({ sizes: shown.filter((one) => ticked.includes(one) !== (one === size)) });
  return (
    <div class="parameter" role="group" aria-labelledby={id}>
      <span class="parameter-label" id={id}>
        {l10n.t('Sizes')}
      </span>
      <div class="images-sizes">
        {shown.map((size) => (
          <ShapeButton key={size} text={size} isChosen={ticked.includes(size)} onChoose={() => toggle(size)} />
        ))}
      </div>
    </div>
  );
}
