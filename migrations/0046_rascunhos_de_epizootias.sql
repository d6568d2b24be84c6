-- Drafts of the form of an event in animals, beside those of cases.
alter table rascunhos add column formulario text not null default 'caso';
alter table rascunhos add column epizootia_id integer;
alter table rascunhos add constraint rascunhos__formulario__known check (
  formulario = 'caso' and epizootia_id is null or formulario = 'epizootia' and caso_id is null);
