/** The editor of insights, for new ones and for saved ones. */
export * as insightEditor from '#views/screens/insight-editor/InsightEditor.tsx';
export * as openInsight from '#views/screens/insight-editor/OpenInsight.tsx';
