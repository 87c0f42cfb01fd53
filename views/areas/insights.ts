/** The editor of insights. */
export * as insightEditor from '#views/screens/insight-editor/InsightEditor.tsx';
