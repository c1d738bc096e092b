// Vite collects imported stylesheets in a file of their own, so an import of one has no value.
declare module '*.css'
