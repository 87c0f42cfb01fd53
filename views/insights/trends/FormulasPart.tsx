/** Formulas over the series: what each is called, what it comes to, and how it is written. */
import { useState } from 'react';
import { type FormulaAsked, MAX_FORMULA_NAME, MAX_FORMULAS } from '#src/insights/kinds/trends/contract.ts';
import { type FormulaProblem, MAX_FORMULA, parseFormula } from '#src/kit/formula/values.ts';
import { TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Own } from '../insight.ts';
import { OptionRow, QueryPart } from '../OptionRow.tsx';
import css from '../Query.module.css';
import { withFormulas, withNewFormula } from './formula-series.ts';

export interface FormulasPartProps {
  own: Own<'trends'>;
  onChange(own: Own<'trends'>): void;
}

export function FormulasPart({ own: asked, onChange }: FormulasPartProps) {
  const own = usePart(trendsWords);
  const { format } = useWords();
  const { formulas = [], series } = asked;
  return (
    <QueryPart title={own.formulas}>
      {formulas.map((each, index) => (
        <FormulaFields
          // biome-ignore lint/suspicious/noArrayIndexKey: formulas are their places
          key={index}
          title={own.formulaNamed(format.number(index + 1))}
          asked={each}
          seriesCount={series.length}
          onChange={(next) => onChange(withFormulas(asked, formulas.with(index, next)))}
          onRemove={() => onChange(withFormulas(asked, formulas.toSpliced(index, 1)))}
        />
      ))}
      {formulas.length < MAX_FORMULAS && (
        <button type="button" className={css['add']} onClick={() => onChange(withNewFormula(asked))}>
          <Icon name="plus" />
          {own.addFormula}
        </button>
      )}
    </QueryPart>
  );
}

interface FormulaFieldsProps {
  title: string;
  asked: FormulaAsked;
  seriesCount: number;
  onChange(formula: FormulaAsked): void;
  onRemove(): void;
}

function FormulaFields({ title, asked, seriesCount, onChange, onRemove }: FormulaFieldsProps) {
  const own = usePart(trendsWords);
  const [typed, setTyped] = useTyped(asked.formula);
  const { name = '', ...unnamed } = asked;
  const [typedName, setTypedName] = useTyped(name);
  const parsed = parseFormula(typed, seriesCount);
  function type(text: string): void {
    setTyped(text);
    if ('formula' in parseFormula(text, seriesCount)) onChange({ ...asked, formula: text.trim() });
  }
  function rename(text: string): void {
    setTypedName(text);
    onChange(text.trim() === '' ? unnamed : { ...asked, name: text.trim() });
  }
  return (
    <fieldset className={css['formula']}>
      <legend className="visually-hidden">{title}</legend>
      <div className={css['formulaHead']}>
        <TextField
          label={title}
          className="mono"
          value={typed}
          maxLength={MAX_FORMULA}
          autoComplete="off"
          spellCheck={false}
          hint={own.formulaHint}
          error={'error' in parsed ? problemText(parsed.error, own) : undefined}
          onChange={({ target }) => type(target.value)}
        />
        <button type="button" className={css['icon']} aria-label={own.removeFormula(title)} onClick={onRemove}>
          <Icon name="x" small />
        </button>
      </div>
      <TextField
        label={own.formulaName}
        value={typedName}
        placeholder={asked.formula}
        maxLength={MAX_FORMULA_NAME}
        onChange={({ target }) => rename(target.value)}
      />
      <OptionRow
        label={own.formulaFormat}
        value={asked.format ?? 'number'}
        options={[
          { value: 'number', text: own.formats.number },
          { value: 'percent', text: own.formats.percent },
        ]}
        onChange={(format) => onChange({ ...asked, format })}
      />
    </fieldset>
  );
}

/** Text of a field: as typed, until the query changes elsewhere. */
function useTyped(asked: string): [string, (text: string) => void] {
  const [typed, setTyped] = useState(asked);
  const [seen, setSeen] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    if (typed.trim() !== asked) setTyped(asked);
  }
  return [typed, setTyped];
}

function problemText({ problem, part, position }: FormulaProblem, own: (typeof trendsWords)['en']): string {
  return own.formulaProblems[problem](part, String(position));
}
