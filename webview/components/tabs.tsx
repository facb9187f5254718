import './tabs.css';

export interface Tab<Id> {
  readonly id: Id;
  readonly label: string;
  /** Localized number of items in the tab. */
  readonly count: string;
}

export interface TabsProps<Id> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  /** Id of the element that shows the chosen tab's content. A tab's own id is `tab-<id>`. */
  readonly panelId: string;
  readonly onChoose: (id: Id) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** A tab list; the arrow keys move between its tabs. */
export function Tabs<Id extends string>({ label, tabs, chosen, panelId, onChoose }: TabsProps<Id>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label: name, count }) => (
        <button
          type="button"
          class="tab"
          key={id}
          id={`tab-${id}`}
          role="tab"
          aria-selected={id === chosen}
          aria-controls={panelId}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name} <span class="tab-count">{count}</span>
        </button>
      ))}
    </div>
  );
}
